import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { Policy } from '../../policy/Policy.ts'
import { openCommandSandbox } from '../openCommandSandbox.ts'
import type { Finding } from './Finding.ts'

/**
 * Starts and stops the sandbox as a run under this policy would. If it does not start, the finding says how to fix
 * that.
 */
export async function checkSandbox(io: ProcessIo, policy: Policy): Promise<Finding> {
  const { mode } = policy.settings.sandbox
  if (mode === 'off') return { name: 'sandbox', level: 'ok', detail: 'off, as the policy says' }
  try {
    const sandbox = await openCommandSandbox(io, policy, { mode: 'required' })
    const { state, detail, network } = sandbox
    await sandbox.close()
    return { name: 'sandbox', level: 'ok', detail: `${state}: ${detail}; network ${network.mode}` }
  } catch (error) {
    const detail = messageOf(error).replace('sandbox.mode is required, and ', '')
    const reason = error instanceof RunError ? error.reason : 'sandbox_unavailable'
    if (mode === 'required') return { name: 'sandbox', level: 'error', detail, reason }
    const words = 'a run continues without it and watches the checkout'
    return { name: 'sandbox', level: 'warning', detail: `${words}${await besides(io, policy)}: ${detail}` }
  }
}

/** The wall that stands in for it, if any. */
async function besides(io: ProcessIo, policy: Policy): Promise<string> {
  const sandbox = await openCommandSandbox(io, policy, { mode: 'auto' })
  await sandbox.close()
  return sandbox.landlock === undefined ? '' : `, with its commands behind ${sandbox.detail.split('; no sandbox: ')[0]}`
}
