/** Takes each item before the generator continues. Returns its value. */
export async function forEachEvent<Item, End>(
  events: AsyncGenerator<Item, End, undefined>,
  take: (item: Item) => unknown,
): Promise<End> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    await take(next.value)
  }
}
