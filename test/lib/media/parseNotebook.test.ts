import { expect, it } from 'vitest'
import { renderNotebook } from '../../../src/lib/media/parseNotebook.ts'
import { PNG } from '../../helpers/images.ts'

it('says how many images of a notebook are left out', () => {
  const image = { kind: 'image', mediaType: 'image/png', base64: PNG.toString('base64') } as const
  const cells = (count: number) => [{ id: 'a', type: 'code' as const, source: '', outputs: Array(count).fill(image) }]
  const [ten, twelve] = [10, 12].map((count) => renderNotebook(cells(count)))
  expect([ten?.length, twelve?.length]).toEqual([11, 11])
  expect(JSON.stringify(ten?.[0])).not.toContain('left out')
  expect(JSON.stringify(twelve?.[0])).toContain('(the last 2 of 12 images are left out: name a cell_id)')
})
