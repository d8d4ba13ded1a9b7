// sum of two
export function sum(a, b) {
  return a + b
}
