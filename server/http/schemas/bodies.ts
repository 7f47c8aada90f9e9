import { newTenant, release, rotation, tenantChanges } from '../admin-bodies'
import { agentChanges, merchantChanges } from '../opt-out-bodies'
import { component } from './component'

/** The bodies that the routes themselves check, under their names in the document. */
export const bodies = {
  newTenant: component('NewTenant', newTenant),
  tenantChanges: component('TenantChanges', tenantChanges),
  rotation: component('Rotation', rotation),
  release: component('Release', release),
  merchantChanges: component('HistoryChoice', merchantChanges),
  agentChanges: component('AgentChanges', agentChanges),
} as const
