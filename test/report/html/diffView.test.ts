import { describe, expect, it } from 'vitest'
import { diffView } from '../../../src/report/html/diffView.ts'

const titlesOf = (patch: string) =>
  [...diffView(patch).markup.matchAll(/<code>(.*?)<\/code>/g)].map(([, title]) => title)

describe('a diff', () => {
  it.each([
    ['a changed file', ['diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -1 +1 @@', '-a', '+b'], 'a'],
    ['a deleted file', ['diff --git a/old b/old', '--- a/old', '+++ /dev/null'], 'old'],
    ['a binary', ['diff --git a/src/bin.dat b/src/bin.dat', 'index 0..1', 'GIT binary patch'], 'src/bin.dat'],
    ['a mode', ['diff --git a/b/run b/b/run', 'old mode 100644', 'new mode 100755'], 'b/run'],
    ['a moved file', ['diff --git a/old b/new', 'similarity index 100%', 'rename from old', 'rename to new'], 'new'],
    [
      'a name of other letters',
      ['diff --git "a/\\303\\266" "b/\\303\\266"', '--- /dev/null', '+++ "b/\\303\\266"'],
      'ö',
    ],
    ['an empty file of such a name', ['diff --git "a/\\303\\266" "b/\\303\\266"', 'new file mode 100644'], 'ö'],
    ['a name that controls a terminal', ['diff --git "a/\\033\\n" "b/\\033\\n"', 'new file mode 100644'], '\\x1b\\n'],
    ['something else', ['diff --git x'], 'patch'],
  ])('is titled by its file: %s', (_, lines, title) => {
    expect(titlesOf(`${lines.join('\n')}\n`)).toEqual([title])
  })
})
