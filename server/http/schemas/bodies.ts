import { newTenant, rotation, tenantChanges } from '../admin-bodies'
import { agentChanges, merchantChanges } from '../opt-out-bodies'
import { component } from './component'

/** The bodies that the routes themselves check, under their names in the document. */
export const bodies = {
  newTenant: component('NewTenant', newTenant),
  tenantChanges: component('TenantChanges', tenantChanges),
  rotation: component('Rotation', rotation),
  merchantChanges: component('HistoryChoice', merchantChanges),
  agentChanges: component('AgentChanges', agentChanges),
} as const
