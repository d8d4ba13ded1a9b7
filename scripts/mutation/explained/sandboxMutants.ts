import type { Explained } from '../explained.ts'

/** Of `src/sandbox`. */
export const sandboxMutants: readonly Explained[] = [
  {
    file: 'src/sandbox/environment/childEnvironment.ts',
    why: 'No variable has this name, and no digits are in it.',
    mutants: [
      `if (secretsFromEnvironment({ [name]: value }, []).length > 0) { | [] => ["Stryker was here"]`,
      `const first = /^\\d{1,3}$/.test(variables['GIT_CONFIG_COUNT'] ?? '') ? Number(variables['GI… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/sandbox/environment/gitLogins.ts',
    why: 'Without a scheme it is not basic either way. The other groups always take part: these are for the compiler.',
    mutants: [
      `return headers.flatMap(([, scheme = '', value = '']) => { | '' => "Stryker was here!"`,
      `return [...text.matchAll(/\\w:\\/\\/([^\\s/"@:]*)(?::([^\\s/"@]*))?@/g)].flatMap(([, user = '',… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/sandbox/environment/withoutCredentials.ts',
    why: 'Neither is the name of a section with credentials.',
    mutants: [`let section = '' | '' => "Stryker was here!"`],
  },
  {
    file: 'src/sandbox/environment/withoutCredentials.ts',
    why: 'The group always takes part: the question mark is for the compiler.',
    mutants: [
      `section = /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1]?.toLowerCase() ?? section | /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1]?.toLowerCase => /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1].toLowerCase`,
    ],
  },
  {
    file: 'src/sandbox/network/readServerName.ts',
    why: 'The head of a record adds nothing without its content.',
    mutants: [
      `for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE; ) { | at + 5 <= bytes.length => at + 5 < bytes.length`,
    ],
  },
  {
    file: 'src/sandbox/network/readServerName.ts',
    why: 'A name takes more than these four bytes, so it begins before them.',
    mutants: [`const end = at + 2 + hello.readUInt16BE(at) | at + 2 => at - 2`],
  },
  {
    file: 'src/sandbox/sandboxAdvice.ts',
    why: 'The group always takes part: this is for the compiler.',
    mutants: [
      `const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\\n]*)/gm)].flatMap(([, text = '']) =… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/sandbox/sandboxAdvice.ts',
    why: 'Only Windows has no such function, and the package does not install there.',
    mutants: [`return process.getuid?.() === 0 ? '' : 'sudo ' | process.getuid?.() => process.getuid()`],
  },
  {
    file: 'src/git/places/gitConfigs.ts',
    why: 'The group always takes part: this is for the compiler.',
    mutants: [
      `const named = readValue(found[1] ?? '') | '' => "Stryker was here!"`,
      `const section = /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1]?.toLowerCase() | /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1]?.toLowerCase => /^\\s*\\[\\s*([^\\s\\]"]+)/.exec(line)?.[1].toLowerCase`,
      `.map(([, quoted = '', escaped, plain]) => plain ?? escaped ?? quoted.replace(/\\\\(.)/g, '$1… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/git/places/gitConfigs.ts',
    why: 'No file has this name.',
    mutants: [`if (found === null) return [] | [] => ["Stryker was here"]`],
  },
  {
    file: 'src/git/places/gitConfigs.ts',
    why: 'The signs one by one make the same text.',
    mutants: [
      `const parts = text.matchAll(/"((?:[^"\\\\]|\\\\.)*)"|\\\\(.)|([^"\\\\#;]+)/gy) | /"((?:[^"\\\\]|\\\\.)*)"|\\\\(.)|([^"\\\\#;]+)/gy => /"((?:[^"\\\\]|\\\\.)*)"|\\\\(.)|([^"\\\\#;])/gy`,
    ],
  },
  {
    file: 'src/sandbox/mounts/masks.ts',
    why: 'Only the names keep the masks apart.',
    mutants: [`return join(scratch, 'masks', name) | 'masks' => ""`],
  },
  {
    file: 'src/sandbox/mounts/planMounts.ts',
    why: 'A part of a name that nobody reads.',
    mutants: [`const sources = mkdtempSync(join(scratch, 'sources-')) | 'sources-' => ""`],
  },
  {
    file: 'src/sandbox/mounts/planMounts.ts',
    why: 'Places of the system are closed in any case, and no home folder is at the top.',
    mutants: [
      `home === undefined ? [] : existingPlaces('~/', home).filter((path) => isSeen(path) && !isO… | home === undefined => false`,
      `home === undefined ? [] : existingPlaces('~/', home).filter((path) => isSeen(path) && !isO… | '~/' => ""`,
    ],
  },
  {
    file: 'src/sandbox/mounts/planMounts.ts',
    why: 'Nothing lies in a folder of this name.',
    mutants: [
      `const filled = mounts.flatMap(({ kind, target }) => (kind === 'readOnly' || kind === 'chec… | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/sandbox/mounts/secretMounts.ts',
    why: 'A secret is in a workspace, and each has a top.',
    mutants: [
      `return tops.filter((top) => isWithin(path, top)).sort((a, b) => b.length - a.length)[0] ??… | '/' => ""`,
    ],
  },
  {
    file: 'src/sandbox/mounts/secretMounts.ts',
    why: 'A folder in which git tracks nothing is hidden as a whole either way.',
    mutants: [`.flatMap((path) => (names.size === 0 ? [path] : partsOf(path, isTracked))) | names.size === 0 => false`],
  },
  {
    file: 'src/sandbox/mounts/secretMounts.ts',
    why: 'The real path of a place that is no link is the place.',
    mutants: [`if (!lstatSync(path).isSymbolicLink()) return [path] | !lstatSync(path).isSymbolicLink() => false`],
  },
  {
    file: 'src/sandbox/mounts/surveyWorkspaces.ts',
    why: 'The list has at least what was added to it.',
    mutants: [
      `const isSecretFolder = (path: string) => isHidden(path, 'folder') && secrets.push(path) > … | secrets.push(path) > 0 => secrets.push(path) >= 0`,
    ],
  },
  {
    file: 'src/sandbox/mounts/systemMounts.ts',
    why: 'A path has a part after its first slash.',
    mutants: [
      `return TOP.test(path.split('/')[1] ?? '') || BELOW.some((folder) => isWithin(path, folder)… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/sandbox/mounts/systemMounts.ts',
    why: 'Without a home folder there is nothing in it.',
    mutants: [`...existingPlaces('/etc/').map((path) => closedMount(path, scratch)), | '/etc/' => ""`],
  },
  {
    file: 'src/sandbox/mounts/toolFolders.ts',
    why: 'No such folder, and only absolute ones count.',
    mutants: [
      `const path = environment['PATH'] ?? '' | '' => "Stryker was here!"`,
      `const named = [...path.split(delimiter), ...(node === undefined ? [] : [dirname(realpathSy… | [] => ["Stryker was here"]`,
      `const homes = both(HOMES.flatMap((name) => environment[name]?.split(delimiter) ?? [])) | [] => ["Stryker was here"]`,
    ],
  },
]
