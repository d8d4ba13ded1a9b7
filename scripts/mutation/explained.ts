/** Mutants that no test can notice, or that no promise forbids, in the words of `npm run mutate`, with the reason. */
export type Explained = { readonly file: string; readonly why: string; readonly mutants: readonly string[] }

export const explained: readonly Explained[] = [
  {
    file: 'src/permissions.ts',
    why: 'The last line of hasPermissionsToUseTool makes a deny of everything that is not an allow.',
    mutants: [
      `if (before?.decision === 'deny') return byHook(ruled, 'deny', 'PreToolUse', before) | 'deny' => ""`,
      `if (own.behavior === 'deny') return { ...ruled, ...ofTool(tool, own.message), behavior: 'd… | 'deny' => ""`,
      `if (options.isAudit !== true || !isAbsence(ask) || !call.subjects.every(isHeld)) return { … | 'deny' => ""`,
      `behavior: 'deny', | 'deny' => ""`,
      `return { ...ruled, behavior: 'deny', reason: { type: 'mode', mode: 'plan' }, message } | 'deny' => ""`,
    ],
  },
  {
    file: 'src/permissions.ts',
    why: 'There is a part for every subject: the question mark is for the compiler.',
    mutants: [
      "(subject, index) => ruled.parts[index]?.behavior === 'allow' || options.isPlainEdit(subjec… | ruled.parts[index]?.behavior => ruled.parts[index].behavior",
    ],
  },
  {
    file: 'src/model/readRetryAfter.ts',
    why: 'No number and no date either way.',
    mutants: [
      `const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '') | '' => "Stryker was here!"`,
      `const text = headers.get('retry-after') ?? '' | '' => "Stryker was here!"`,
      `const date = Date.parse(headers.get('date') ?? '') | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/model/retry.ts',
    why: 'After the message nobody asks for the count of blocks.',
    mutants: ["if (event.type === 'block') part.blocks += 1 | event.type === 'block' => true"],
  },
  {
    file: 'src/model/retry.ts',
    why: 'The scale is 1 in every run, and 0 in tests, which wait for nothing either way.',
    mutants: [
      'await sleep(delayMs * policy.waitScale, undefined, { signal }).catch(() => signal.throwIfA… | delayMs * policy.waitScale => delayMs / policy.waitScale',
    ],
  },
]
