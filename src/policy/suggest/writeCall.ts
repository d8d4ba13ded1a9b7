import type { Call, PathForms } from '../../contracts/subject.ts'

/** An Edit call for the path itself, without following links: it is used to judge a change that already happened. */
export function writeCall(path: string): Call {
  const forms: PathForms = { given: path, lexical: path, resolved: path, physical: path }
  return {
    tool: 'Edit',
    aliases: [],
    input: { file_path: path },
    subjects: [{ kind: 'path', access: 'write', path: forms, source: 'tool' }],
    isFree: false,
    isReadOnly: false,
  }
}
