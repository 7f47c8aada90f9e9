// Loaded before a service (`node --import`). Skews its clock by CLOCK_SKEW_S seconds, negative for slow, from CLOCK_SKEW_FROM_S seconds
// after its start for CLOCK_SKEW_FOR_S seconds. Monotonic time (`performance.now`, timers) stays correct.
const { CLOCK_SKEW_S = '0', CLOCK_SKEW_FROM_S = '0', CLOCK_SKEW_FOR_S = '1e9' } = process.env
const RealDate = Date
const realNow = Date.now.bind(Date)
const from = Number(CLOCK_SKEW_FROM_S) * 1_000
const until = from + Number(CLOCK_SKEW_FOR_S) * 1_000

function now() {
  const age = performance.now()
  return realNow() + (age >= from && age < until ? Number(CLOCK_SKEW_S) * 1_000 : 0)
}

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now())
    else super(...parts)
  }
  static now() {
    return now()
  }
}
