import type { FileAccess } from '../../contracts/files.ts'
import type { Account } from '../../effects/openAccount.ts'
import type { CheckoutWatch } from '../../effects/watch/openCheckoutWatch.ts'

/** An account that makes changes only while no watched command is compared with the checkout. */
export type ChangeAccount = Pick<Account, 'before' | 'after'> & Pick<CheckoutWatch, 'change'>

export function accountedFiles(files: FileAccess, account: ChangeAccount, by: string): FileAccess {
  const accounted = async <T>(path: string, change: () => Promise<T>): Promise<T> => {
    await account.before(path)
    return account.change([path], async () => {
      const done = await change()
      await account.after([{ path }], by)
      return done
    })
  }
  return {
    ...files,
    write: (path, content, options) => accounted(path, () => files.write(path, content, options)),
    remove: (path) => accounted(path, () => files.remove(path)),
  }
}
