import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { textOf } from '../../../src/shell/programs/literalWord.ts'
import { otherSpellings } from '../../../src/shell/programs/otherSpellings.ts'

function spellings(line: string): string[] {
  const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
  return otherSpellings(line.split(' ')[0] ?? '', argv).map((words) => words.map(textOf).join(' '))
}

const lines = readFileSync(new URL('../corpus/spellings.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

// Every alias and prefix that the tables know, and words beside them: a change is seen in review.
it('a line has these other spellings', async () => {
  const told = lines.map((line) => [line, ...new Set(spellings(line))].join('\n  '))
  await expect(told.join('\n')).toMatchFileSnapshot('../golden/spellings.txt')
})

describe('a command also matches its other spellings', () => {
  test.each([
    // Containers and clusters: the object before the verb, or an alias of it.
    ['docker image push x', 'docker push x'],
    ['docker push x', 'docker image push x'],
    ['docker container run -it x', 'docker run -it x'],
    ['docker buildx build .', 'docker build .'],
    ['podman rmi x', 'podman image rm x'],
    ['docker-compose up -d', 'docker compose up -d'],
    ['helm del x', 'helm uninstall x'],
    ['kubectl delete ns prod', 'kubectl delete namespace prod'],
    // Subcommands of hosts and clouds.
    ['gh release new v1', 'gh release create v1'],
    ['gh co 5', 'gh pr checkout 5'],
    ['gcloud beta run deploy x', 'gcloud run deploy x'],
    // Package managers: aliases, `create`, workspaces, and an install without a word.
    ['npm it zod', 'npm install zod'],
    ['npm cit', 'npm ci'],
    ['npm create vite', 'npm exec vite'],
    ['npm init foo', 'npm exec foo'],
    ['pnpm create vite', 'pnpm dlx vite'],
    ['yarn create vite', 'yarn dlx vite'],
    ['pnpm i', 'pnpm install'],
    ['pnpm i zod', 'pnpm add zod'],
    ['pnpm recursive i zod', 'pnpm add zod'],
    ['pnpm multi publish', 'pnpm publish'],
    ['yarn', 'yarn install'],
    ['yarn workspace web npm publish', 'yarn publish'],
    ['uv tool run twine', 'uv x twine'],
    ['gem pus x', 'gem push x'],
    ['bundle', 'bundle install'],
    ['npm pub', 'npm publish'],
    ['cargo +stable r', 'cargo run'],
    // Modules of Python are programs.
    ['uv pip install x', 'pip install x'],
    ['pip3.11 install x', 'pip install x'],
    ['python3 -m twine upload x', 'twine upload x'],
    ['python3 -m pip install x', 'pip3 install x'],
    // Goals: a path before them, their short form, and the wrapper of the project.
    ['gradle :app:publish', 'gradle publish'],
    ['gradle clean pTML', 'gradle publishToMavenLocal'],
    ['./gradlew :lib:pub', 'gradle publish'],
    ['mvnw clean deploy', 'mvn deploy'],
    // What a push goes to, however the branch is spelled; and hooks left out.
    ['git push origin :main', 'git push origin main'],
    ['git subtree push --prefix=x origin main', 'git push --prefix=x origin main'],
    ['git push origin HEAD:main', 'git push origin main'],
    ['git push -f origin +HEAD:refs/heads/main', 'git push -f origin main'],
    ['git push origin refs/heads/main x', 'git push origin main x'],
    ['git push origin :main', 'git push origin main --delete'],
    ['git commit -anm x', 'git commit -anm x --no-verify'],
    ['git commit --no-verify -m x', 'git commit --no-verify -m x -n'],
    ['git push git@host:x.git +main', 'git push git@host:x.git main'],
    // Other version control: the shortest form that is not ambiguous.
    ['svn ci', 'svn commit'],
    ['hg pus', 'hg push'],
  ])('%s: %s', (line, other) => {
    const name = line.replace(/ .*/, '').replace('./', '')
    const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
    const all = otherSpellings(name, argv).map((words) => words.map(textOf).join(' '))
    expect(all).toContain(other)
  })
})

test.each([
  ['pnpm install', 'pnpm add'],
  ['npm init -y', 'npm exec'],
  ['docker run image push', 'docker push'],
  ['docker build -t push .', 'docker image push'],
  ['gradle build', 'gradle publish'],
  ['git commit -mn', 'git commit -mn --no-verify'],
  ['yarn test', 'yarn install'],
  ['python3 -m pytest', 'twine'],
])('%s is not another spelling of %s', (line, other) => {
  expect(spellings(line).some((each) => each === other || each.startsWith(`${other} `))).toBe(false)
})
