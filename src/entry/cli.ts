#!/usr/bin/env node
import nodeModule from 'node:module'
import { closeInheritedDescriptors } from './closeInheritedDescriptors.ts'
import { main } from './main.ts'
import { openProcessIo } from './openProcessIo.ts'

// Node 22 and later keep compiled code between runs; older versions do not.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
const io = openProcessIo()
const code = await main(io, {
  closeDescriptors: closeInheritedDescriptors,
  async hideSecrets() {
    if (!io.isSuccessor) (await import('./reexecWithoutSecrets.ts')).reexecWithoutSecrets()
  },
})
io.end(code)
