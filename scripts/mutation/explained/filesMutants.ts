import type { Explained } from '../explained.ts'

/** Of `src/files`. */
export const filesMutants: readonly Explained[] = [
  {
    file: 'src/files/applyEdits.ts',
    why: 'An edit of a text that is there once was made.',
    mutants: ['if (matches > 1) { | matches > 1 => matches >= 1'],
  },
  {
    file: 'src/files/createFileAccess.ts',
    why: 'No folder has a name twice.',
    mutants: ['.sort((a, b) => (a.name < b.name ? -1 : 1)) | a.name < b.name => a.name <= b.name'],
  },
  {
    file: 'src/files/createPlaceCheck.ts',
    why: 'No path that is checked lies in this place.',
    mutants: [
      'const extraReadable = withResolved(places.extraReadable ?? []) | [] => ["Stryker was here"]',
      'const readOnly = withResolved(places.readOnly ?? []) | [] => ["Stryker was here"]',
    ],
  },
  {
    file: 'src/files/createPlaceCheck.ts',
    why: 'Places are absolute, and none is below `~`.',
    mutants: [
      `return [...new Set(paths.flatMap((path) => [normalize(path), resolvePath(path, '/', '/').r… | '/' => ""`,
    ],
  },
  {
    file: 'src/files/openFolder.ts',
    why: 'The root of all folders can be opened.',
    mutants: [
      `if (!(error instanceof FileError && error.code === 'not_found') || path === dirname(path))… | path === dirname(path) => false`,
    ],
  },
  {
    file: 'src/files/openFolder.ts',
    why: 'Without /proc: needs two file systems that give one number, within a race. No path is empty.',
    mutants: [
      `return opened.dev === named.dev && opened.ino === named.ino ? name : '' | opened.dev === named.dev => true`,
      `return opened.dev === named.dev && opened.ino === named.ino ? name : '' | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/files/openOutputFile.ts',
    why: 'The moment itself counts for nothing.',
    mutants: [
      `else if (performance.now() > end) throw new Error('the reader of the pipe does not read') | performance.now() > end => performance.now() >= end`,
    ],
  },
  {
    file: 'src/files/openOutputFile.ts',
    why: 'No path that is checked lies in this place.',
    mutants: [
      'const files = createFileAccess({ roots: [dirname(place)], forbidden: [] }) | [] => ["Stryker was here"]',
    ],
  },
  {
    file: 'src/files/readRegularFile.ts',
    why: 'Reading ends at the end of the file in any case.',
    mutants: [
      'const bytes = await readUpTo(handle, Math.min(maxBytes, Math.max(0, stats.size - offset)),… | stats.size - offset => stats.size + offset',
      'while (filled < length) { | filled < length => filled <= length',
    ],
  },
  {
    file: 'src/files/scriptFiles.ts',
    why: 'There is no file of this name.',
    mutants: [
      `const [program = '', ...operands] = words.slice(words.findIndex((word) => !PREFIXES.test(w… | '' => "Stryker was here!"`,
      `return [...(program.includes('/') ? [program] : []), ...(isRead ? [operand] : [])] | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/files/scriptFiles.ts',
    why: 'Neither is a hash.',
    mutants: [
      `return isFile(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'gon… | 'gone' => ""`,
    ],
  },
  {
    file: 'src/files/toFileError.ts',
    why: 'Neither is a code.',
    mutants: [
      `return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/files/createFileAccess.ts',
    why: 'Opening a folder for nothing finds nothing.',
    mutants: ['if (names.length === 0) return found | names.length === 0 => false'],
  },
  {
    file: 'src/files/openOutputFile.ts',
    why: 'The bytes become the same text when something is added to them.',
    mutants: [
      `return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, … | 'utf8' => ""`,
    ],
  },
]
