const CHANNEL = 'quittance'
const SIGNED_IN = 'signed in'

/** Tells the other windows of this browser that an account signed in. */
export function tellSignedIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(SIGNED_IN)
  channel.close()
}

/** Listens to sign-ins in other windows. Returns how to stop. */
export function onSignedIn(listen: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === SIGNED_IN) listen()
  }
  return () => channel.close()
}
