import { announcePlace } from './place'
import { startWorld } from './world'

/** One world for all journeys; what is returned takes it down. */
export default async function setup(): Promise<() => Promise<void>> {
  const { place, stop } = await startWorld()
  announcePlace(place)
  return stop
}
