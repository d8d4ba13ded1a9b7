import { expect, it } from 'vitest'
import { annotationCommand } from '../../../src/report/formats/annotationCommand.ts'

it.each([
  [
    { level: 'warning', title: 't', message: 'm', file: 'src/a.ts', line: 3, endLine: 5 },
    'part',
    '::warning file=part/src/a.ts,line=3,endLine=5,title=t::m\n',
  ],
  [
    { level: 'notice', title: 'a,b:c%\r\n', message: '50 %, a:b\r\n::set-output name=x::y' },
    '',
    '::notice title=a%2Cb%3Ac%25%0D%0A::50 %25, a:b%0D%0A::set-output name=x::y\n',
  ],
  [
    { level: 'error', title: 't', message: 'm', file: 'a,line=1\n::x' },
    '',
    '::error file=a%2Cline=1%0A%3A%3Ax,title=t::m\n',
  ],
] as const)('is one command of the runner, which no text ends or adds to: %j', (annotation, prefix, expected) => {
  expect(annotationCommand(annotation, prefix)).toBe(expected)
})
