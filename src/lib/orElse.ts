/** What `work` returns; `fallback` where it throws. For questions whose failure is an answer, such as "can it be read?" */
export function orElse<Value, Fallback>(fallback: Fallback, work: () => Value): Value | Fallback {
  try {
    return work()
  } catch {
    return fallback
  }
}
