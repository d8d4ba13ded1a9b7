import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findStacks } from '../../../src/commands/init/findStacks.ts'
import { openProjectFiles } from '../../../src/commands/init/ProjectFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

async function testsOf(files: Readonly<Record<string, string>>) {
  const folder = makeFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return findStacks(await openProjectFiles(folder)).map(({ name, test }) => `${name}: ${test ?? 'no test'}`)
}

it.each([
  ['rspec', { Gemfile: 'gem "rspec-rails"', 'bin/rails': '' }, 'bundler: bundle exec rspec'],
  ['rspec by its file', { Gemfile: '', '.rspec': '' }, 'bundler: bundle exec rspec'],
  ['rails', { Gemfile: 'gem "rails"', 'bin/rails': '' }, 'bundler: bin/rails test'],
  ['rake', { Gemfile: '', Rakefile: 'Rake::TestTask.new' }, 'bundler: bundle exec rake test'],
  ['jekyll', { Gemfile: 'gem "jekyll"' }, 'bundler: bundle exec jekyll build'],
  ['ruby without tests', { Gemfile: '' }, 'bundler: no test'],
  ['maven', { 'pom.xml': '' }, 'maven: mvn -q test'],
  ['maven with its wrapper', { 'pom.xml': '', mvnw: '' }, 'maven: ./mvnw -q test'],
  ['gradle', { 'build.gradle': '' }, 'gradle: gradle test'],
  ['gradle with its wrapper', { 'build.gradle.kts': '', gradlew: '' }, 'gradle: ./gradlew test'],
  [
    'mkdocs',
    { 'requirements.txt': 'mkdocs', 'mkdocs.yml': '', 'docs/a.md': '' },
    'python: python -m mkdocs build --strict',
  ],
  ['django', { 'requirements.txt': 'Django', 'manage.py': '', 'app/tests.py': '' }, 'python: python manage.py test'],
  ['django with pytest', { 'requirements.txt': 'pytest-django', 'manage.py': '' }, 'python: python -m pytest'],
  [
    'unittest',
    { 'setup.py': '', 'tests/test_a.py': 'import unittest' },
    'python: python -m unittest discover -s tests',
  ],
  ['tests that name no library', { 'setup.py': '', 'tests/test_a.py': '' }, 'python: python -m pytest'],
  ['python without tests', { 'requirements.txt': 'flask', 'app.py': '' }, 'python: no test'],
  ['poetry', { 'pyproject.toml': '[tool.poetry]\nname = "a"\n', 'tests/test_a.py': '' }, 'poetry: poetry run pytest'],
])('the check is one that can succeed: %s', async (_name, files, found) => {
  expect(await testsOf(files as unknown as Record<string, string>)).toEqual([found])
})
