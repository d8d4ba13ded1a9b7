import { realpathSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { CliFolders } from './cliRun.ts'

const SAME: readonly (readonly [RegExp, string])[] = [
  // Where an error was thrown, which `--verbose` shows.
  [/^(?:│ )? +at .*\n?/gm, ''],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g, 'UUID'],
  [/\b[0-9a-f]{64}\b/g, 'SHA'],
  [/\b[0-9a-f]{40}\b/g, 'COMMIT'],
  [/(?<=\bnew at |: | → |> \| )[0-9a-f]{7}(?=,| →| \||$)/gm, 'COMMIT'],
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \(UTC\)/g, 'DATE'],
  [/(?<=^│ )\d\d:\d\d:\d\d /gm, 'CLOCK '],
  [/(?<=kode-run |"version":")\d+\.\d+\.\d+/g, 'VERSION'],
  [/\bv\d+\.\d+\.\d+\b/g, 'NODE'],
  [/(?<=::)[0-9a-f]{32}\b|\b[0-9a-f]{32}(?=::)/g, 'TOKEN'],
  [/(?<=_ms=|"retry_delay_ms":)\d+/g, '0'],
  [/sha256 [0-9a-f]{12}…, now [0-9a-f]{12}…/g, 'sha256 SHA…, now SHA…'],
  [/(?<=kode-run-tools-)\w{6}/g, 'XXXXXX'],
  [/\bagent_[0-9a-f]{8}\b/g, 'AGENT'],
  [/\bpid \d+ on [\w.-]+/g, 'pid PID on HOSTNAME'],
  [/\btoolu_test_(\d+)_(\d+)/g, '#$1.$2'],
  [/(?<!within |--timeout )\b\d+(?:\.\d)? m?s\b/g, 'T'],
  [/ended by SIG(?:TERM|KILL)/g, 'ended by SIGNAL'],
  [/\$\d+\.\d{4}/g, '$COST'],
  [/,"duration_ms":\d+/g, ''],
]

/** The text without what differs from run to run or from machine to machine. */
export function stableWords(text: string, { base, project, home }: CliFolders): string {
  const places: readonly (readonly [string, string])[] = [
    [project, 'PROJECT'],
    [project.slice(1), 'PROJECT'],
    [home, 'HOME'],
    [base, 'BASE'],
    [resolve('.'), 'REPOSITORY'],
    [realpathSync(tmpdir()), 'TMP'],
    [process.execPath, 'node'],
    [`linux ${release()}`, 'SYSTEM'],
  ]
  const placed = places.reduce((all, [place, word]) => all.replaceAll(place, word), text)
  return SAME.reduce((all, [pattern, word]) => all.replace(pattern, word), placed)
}
