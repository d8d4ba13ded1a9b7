import { describe, expect, it } from 'vitest'
import { normalizeUsage } from '../../src/model/normalizeUsage.ts'

const SIZES = { input: 350, output: 35 }
const counts = (usage: object) => normalizeUsage({ input_tokens: 7, output_tokens: 3, ...usage }, SIZES)

describe('normalizeUsage', () => {
  it("uses the API's counts; missing cache counts are zero", () => {
    expect(counts({ cache_read_input_tokens: 5 })).toEqual({
      isEstimated: false,
      usage: { input_tokens: 7, output_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 5 },
    })
  })

  it('counts the searches that the API made', () => {
    expect(counts({ server_tool_use: { web_search_requests: 2 } }).usage.web_search_requests).toBe(2)
    for (const none of [undefined, null, {}, { web_search_requests: 'many' }, { web_search_requests: -1 }]) {
      expect(counts({ server_tool_use: none }).usage).not.toHaveProperty('web_search_requests')
    }
  })

  it.each([[undefined], [null], [{}], [{ input_tokens: -1 }], [{ input_tokens: 1e12 }], [{ output_tokens: 1.5 }]])(
    'estimates from sizes if the counts are useless: %j',
    (sent) => {
      const { usage, isEstimated } =
        sent === undefined || sent === null ? normalizeUsage(sent, SIZES) : normalizeUsage({ ...sent }, SIZES)
      expect([isEstimated, usage.input_tokens, usage.output_tokens]).toEqual([true, 100, 10])
    },
  )
})
