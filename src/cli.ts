#!/usr/bin/env node
import nodeModule from 'node:module'
import { closeInheritedDescriptors } from './entry/closeInheritedDescriptors.ts'
import { main } from './entry/main.ts'
import { openProcessIo } from './entry/openProcessIo.ts'

// Node 22 and later keep compiled code between runs; older versions do not.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
const io = openProcessIo()
const code = await main(io, {
  closeDescriptors: closeInheritedDescriptors,
  async hideSecrets() {
    if (!io.isSuccessor) (await import('./entry/reexecWithoutSecrets.ts')).reexecWithoutSecrets()
  },
})
io.end(code)
