// What the runner starts: the built action, built here once where the ref that is used does not carry it.
import { ensureBuilt } from './ensureBuilt.mjs'

const { main } = await import(ensureBuilt())
await main()
