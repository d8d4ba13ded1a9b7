import { execFileSync } from 'node:child_process'

/** Git in a folder, with an author of commits. It gives what git prints, without the space around it. */
export function gitAt(cwd: string) {
  return (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      ...{ cwd, encoding: 'utf8', stdio: 'pipe' },
    }).trim()
}

/** Makes a repository of what is in a folder, on the branch `main`, with one commit. */
export function commitAll(cwd: string): ReturnType<typeof gitAt> {
  const git = gitAt(cwd)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'start', '--allow-empty')
  return git
}
