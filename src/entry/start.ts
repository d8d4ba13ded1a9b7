import { closeInheritedDescriptors } from './closeInheritedDescriptors.ts'
import { main } from './main.ts'
import { openProcessIo } from './openProcessIo.ts'

export async function start(): Promise<void> {
  const io = openProcessIo()
  const code = await main(io, {
    closeDescriptors: closeInheritedDescriptors,
    async hideSecrets() {
      if (!io.isSuccessor) (await import('./hideSecrets.ts')).hideSecrets()
    },
  })
  io.end(code)
}
