#!/usr/bin/env node
import nodeModule from 'node:module'

// Until the run listens itself, nothing has begun: a signal ends the process with the code that the run would have.
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
for (const [name, code] of Object.entries(codes)) process.once(name, () => process.exit(code))

// Node 22 and later keep compiled code between runs; older versions do not. It must be on before anything else loads.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
const { start } = await import('./start.ts')
await start()
