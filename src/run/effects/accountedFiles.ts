import type { FileAccess } from '../../contracts/files.ts'
import type { Account } from '../../effects/openAccount.ts'

/** The guard of in-process files, with an account of what a call changes through it. */
export function accountedFiles(files: FileAccess, account: Pick<Account, 'before' | 'after'>, by: string): FileAccess {
  const accounted = async <T>(path: string, change: () => Promise<T>): Promise<T> => {
    await account.before(path)
    const done = await change()
    await account.after([{ path }], by)
    return done
  }
  return {
    ...files,
    write: (path, content, options) => accounted(path, () => files.write(path, content, options)),
    remove: (path) => accounted(path, () => files.remove(path)),
  }
}
