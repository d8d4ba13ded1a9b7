import { describe, expect, it } from 'vitest'
import { type SystemPromptParts, systemPrompt } from '../../src/context/systemPrompt.ts'

const PARTS: SystemPromptParts = {
  cwd: '/home/runner/work/project/project',
  additionalDirectories: [],
  platform: 'linux',
  agents: [],
  skills: [],
}

describe('systemPrompt', () => {
  it('is small, and identical for identical parts', () => {
    expect(systemPrompt(PARTS).length).toBeLessThan(2700)
    expect(systemPrompt({ ...PARTS })).toBe(systemPrompt(PARTS))
  })

  it('names the project root and the additional directories', () => {
    const text = systemPrompt({ ...PARTS, additionalDirectories: ['/data', '/docs'] })
    expect(text).toContain('Project root: /home/runner/work/project/project')
    expect(text).toContain('/data, /docs')
    expect(text).toContain('Platform: linux')
  })

  it('lists agents and skills in one line each', () => {
    const agent = {
      name: 'reviewer',
      description: `reads\n${'x'.repeat(500)}`,
      prompt: '',
      tools: '*',
      source: '',
    } as const
    const text = systemPrompt({
      ...PARTS,
      agents: [agent],
      skills: [{ name: 'pdf', description: 'fills', path: '/s' }],
    })
    expect(text).toMatch(/^- reviewer: reads x{193}…$/m)
    expect(text).toMatch(/^- pdf: fills$/m)
  })

  it('keeps environment, schema and appendix with a custom prompt', () => {
    const text = systemPrompt({
      ...PARTS,
      systemPrompt: 'Be a poet.',
      appendSystemPrompt: 'Rhyme.',
      outputSchema: { type: 'object' },
    })
    expect(text).toMatch(/^Be a poet\.\n\n# Environment\n/)
    expect(text).toContain('{"type":"object"}')
    expect(text).toMatch(/\n\nRhyme\.$/)
    expect(text).not.toContain('unattended')
  })
})
