/** Seeds that once found a bug, with the bug. Every run starts with them. */
export const KEPT_SEEDS: readonly { seed: number; why: string }[] = [
  { seed: 1487, why: 'a preconfirmation broken by a batch ended like a claim: EXPIRED instead of REVERSED' },
  {
    seed: 2710,
    why: 'a retry that was paused past its deadline got a failure, although the first request had been paid',
  },
  {
    seed: 30010,
    why: 'a claim that another one overtook stayed open until its horizon: its transaction succeeds and logs nothing',
  },
  { seed: 500_000_258, why: 'a refund whose balance was read before a deposit and whose trial came after it was a 500' },
  { seed: 700_000_136, why: 'what a deposit paid for was forgotten when a server deleted the channel while it was on its way' },
  {
    seed: 317_929_574,
    why: 'a payout whose claim a reorganisation took stayed open until its horizon: it succeeded and moved nothing',
  },
  { seed: 300_000_190, why: 'a refund that a withdrawal left nothing to move was a success over 0' },
  { seed: 6166, why: 'a failure said that another transaction did not pay, by a receipt that lacked the log that named it' },
  { seed: 943_726_489, why: 'a failure said that another transaction did not pay, by a receipt that lacked its Transfer' },
  {
    seed: 561_547_128,
    why: 'a lane stood still: its new holder knew the first transaction of a nonce only, and another instance saw the second one mined',
  },
  {
    seed: 526_604_962,
    why: 'an instance counted its own replacement twice, and never learned of the third transaction',
  },
  {
    seed: 506_336_680,
    why: 'nobody paid out what the service claimed of a channel kept elsewhere',
  },
  {
    seed: 800_007_756,
    why: 'nobody claimed a charge of a channel that was deleted before its deposit came',
  },
]

/** Seeds that together reach every state and event of a settlement. */
export const PATH_SEEDS: readonly number[] = [
  13, 47, 3004, 3009, 3011, 3089, 3097, 3161, 3225, 6052, 6194, 6238, 9112, 19486, 20081, 20220, 20283, 20285,
]

/** Seeds up to this one were recorded before Permit2: their payments are all by EIP-3009, and they replay as they did. */
export const PLAIN_SEEDS = 3_000

/** Seeds up to this one were recorded before payers sent approvals along: their draws have none. */
export const PERMIT2_SEEDS = 6_000

/** Seeds up to this one were recorded before payers signed maximums: none of their payments is by `upto`. */
export const UNMETERED_SEEDS = 20_000

/** Seeds up to this one were recorded before merchants sold by channels: they have none. */
export const CHANNELLESS_SEEDS = 30_000

/** Seeds up to this one were recorded before merchants did something with a channel while its claim was under way. */
export const PATIENT_SEEDS = 30_100

/** Seeds up to this one were recorded before merchants kept channels here, and the service claimed for them. */
export const UNMANAGED_SEEDS = 40_000

/** Seeds up to this one were recorded before payers signed short times and strangers overtook us. */
export const HASTELESS_SEEDS = 9_000
