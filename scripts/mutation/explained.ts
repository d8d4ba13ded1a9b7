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
]
