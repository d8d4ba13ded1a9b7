import { expect, test } from 'vitest'
import { isRunner } from '../../src/shell/isRunner.ts'

function runs(line: string): boolean {
  const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
  return isRunner(line.split(' ')[0] ?? '', argv)
}

test.each([
  'npx git push',
  'bun run git push',
  'bun x git push',
  'npm run env git push',
  'npm exec -- git push',
  'pnpm dlx git push',
  'poetry run git push',
  'docker exec c git push',
  'cmake -E env git push',
])('%s runs a program that it names', (line) => expect(runs(line)).toBe(true))

test.each(['npm test', 'npm run build', 'bun test', 'git push', 'docker ps', 'cmake --build build'])(
  '%s runs none',
  (line) => expect(runs(line)).toBe(false),
)
