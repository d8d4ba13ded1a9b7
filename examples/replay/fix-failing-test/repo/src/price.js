/** The price after a discount in percent, in cents, never below zero. */
export function discounted(cents, percent) {
  return Math.max(0, Math.round(cents - cents * percent))
}

/** Cents as text: 1999 -> "19.99". */
export function format(cents) {
  return (cents / 100).toFixed(2)
}
