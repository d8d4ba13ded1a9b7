/** A list longer than this cannot be meant to be read. */
const MAX_ITEMS = 5_000
const MAX_PAGES = 100

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | undefined }

/** All items of a paged list. Throws if it is too long or returns to an earlier page. */
export async function listPages<Item>(ask: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await ask(cursor)
    items.push(...page.items)
    cursor = page.next
    if (cursor !== undefined && seen.has(cursor)) throw new Error('its list returns to an earlier page')
    if (cursor !== undefined) seen.add(cursor)
    if (items.length > MAX_ITEMS || seen.size > MAX_PAGES) throw new Error(`it lists more than ${MAX_ITEMS} items`)
  } while (cursor !== undefined)
  return items
}
