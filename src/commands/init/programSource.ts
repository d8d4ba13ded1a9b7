import { RunError } from '../../contracts/errors.ts'

/**
 * What a workflow of GitHub uses, and what a shell prepares and starts. By `--use`: a commit, `OWNER/NAME@COMMIT` of a
 * fork, or the path of a checkout; the release if undefined.
 */
export function programSource(use: string | undefined) {
  if (use === undefined) {
    return {
      ...{ action: 'kode-run/kode-run@v0', command: 'npx --yes kode-run@0.1', prepare: undefined },
      notes: ['# It needs a release of kode-run. Before the first one: kode-run init --use COMMIT'],
    }
  }
  if (/^\.\/[\w./-]+$/.test(use)) {
    const folder = use.replace(/\/+$/, '')
    return { action: folder, command: `node ${folder}/dist/cli.js`, prepare: `npm ci --prefix ${folder}`, notes: [] }
  }
  const [, repository = 'kode-run/kode-run', commit] = /^(?:([\w.-]+\/[\w.-]+)@)?([\w./-]+)$/.exec(use) ?? []
  if (commit === undefined)
    throw new RunError('usage', `init: --use ${use}: neither COMMIT, OWNER/NAME@COMMIT, nor a path that begins with ./`)
  if (/^[\da-f]{6,39}$/.test(commit))
    throw new RunError('usage', `init: --use ${use}: GitHub takes no shortened commit; write all 40 digits of it`)
  const command = `npx --yes github:${repository}#${commit}`
  return { action: `${repository}@${commit}`, command, prepare: undefined, notes: [] }
}
