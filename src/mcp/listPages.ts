/** A server that lists more than this does not mean to be read. */
const MAX_ITEMS = 5_000
const MAX_PAGES = 100

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | undefined }

/** All items of a paged list. Throws for one that is too long or comes back to a page it had. */
export async function listPages<Item>(ask: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await ask(cursor)
    items.push(...page.items)
    cursor = page.next
    if (cursor !== undefined && seen.has(cursor)) throw new Error('its list comes back to a page it had')
    if (cursor !== undefined) seen.add(cursor)
    if (items.length > MAX_ITEMS || seen.size > MAX_PAGES) throw new Error(`it lists more than ${MAX_ITEMS} items`)
  } while (cursor !== undefined)
  return items
}
