import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowOf, sumRows } from '../../../src/report/fold/fleetRows.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { renderFleetPage } from '../../../src/report/html/fleetPage.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { findChromium } from '../../helpers/chromium.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { longRun, sampleRun, stamp } from '../../helpers/runs/events.ts'

const executablePath = findChromium()

// Skipped where no Chromium is installed (`apt-get install chromium`).
describe.skipIf(executablePath === undefined)('the page in Chromium (needs chromium)', { tags: 'long' }, () => {
  let browser: Browser
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  async function openPage(page: string, options: BrowserContextOptions = {}): Promise<Page> {
    const file = join(makeFolder(), 'report.html')
    writeFileSync(file, page)
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options })
    const opened = await context.newPage()
    opened.on('console', (message) => complaints.push(message.text()))
    opened.on('pageerror', (error) => complaints.push(String(error)))
    opened.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(request.url())
    })
    await opened.goto(pathToFileURL(file).href)
    return opened
  }

  const sample = (): string => renderHtml([{ name: 'session-1.jsonl', report: foldReport(stamp(sampleRun())) }])
  const visible = (page: Page): Promise<number> => page.locator('.entry:visible').count()

  it('filters by outcome, tool and text, opens calls, and works with the keyboard', async () => {
    const page = await openPage(sample())
    expect(await visible(page)).toBe(14)
    await page.locator('label.kind', { hasText: 'notes' }).click()
    expect(await visible(page)).toBe(8)
    await page.locator('select').selectOption('Bash')
    expect(await visible(page)).toBe(3)
    expect(await page.locator('output').textContent()).toBe('3 of 14 entries')
    await page.keyboard.press('/')
    await page.keyboard.type('git push')
    await expect.poll(() => visible(page)).toBe(1)
    await page.keyboard.press('Tab')
    await page.locator('body').click({ position: { x: 2, y: 2 } })
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    expect(await page.locator('.entry:visible .refusal').isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })

  it('can be read and filtered without its script', async () => {
    const page = await openPage(sample(), { javaScriptEnabled: false })
    expect(await page.locator('select').isVisible()).toBe(false)
    await page.locator('label.kind', { hasText: 'messages' }).click()
    expect(await page.locator('.entry.message').first().isVisible()).toBe(false)
    await page.locator('.entry.call summary').nth(2).click()
    expect(await page.locator('.entry.call .added').isVisible()).toBe(true)
  })

  it("follows the reader's color scheme, and fits a phone", async () => {
    const shade = async (colorScheme: 'dark' | 'light'): Promise<string> => {
      const page = await openPage(sample(), { colorScheme, viewport: { width: 390, height: 800 } })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(390)
      const cut = await page.evaluate("[document.querySelector('.wide')].map((t) => t.scrollWidth - t.clientWidth)")
      expect(cut).toEqual([0])
      return String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    }
    expect(await shade('dark')).toBe('rgb(20, 23, 28)')
    expect(await shade('light')).toBe('rgb(246, 247, 249)')
  })

  it('keeps the filters of many runs on a phone', async () => {
    const row = rowOf({ file: 'a.jsonl', report: foldReport(stamp(sampleRun())), problem: null })
    const page = await openPage(renderFleetPage(sumRows([row])), { viewport: { width: 390, height: 800 } })
    const ends = await page.evaluate(
      "[...document.querySelectorAll('.filters, .filters input')].map((each) => each.getBoundingClientRect().right)",
    )
    const [room = 0, ...inputs] = ends as number[]
    expect(inputs.map((end) => end <= room)).toEqual([true, true])
    expect(complaints).toEqual([])
  })

  it('opens a run of 5,000 events and filters it', async () => {
    const page = await openPage(renderHtml([{ name: 'long', report: foldReport(stamp(longRun(5_000))) }]))
    const all = await visible(page)
    expect(all).toBeGreaterThan(2_000)
    await page.locator('label.kind', { hasText: 'done' }).click()
    await page.locator('label.kind', { hasText: 'messages' }).click()
    expect(await visible(page)).toBeLessThan(all / 4)
    expect(complaints).toEqual([])
  })

  it('links from the overview of several runs to each of them', async () => {
    const report = foldReport(stamp(sampleRun({ exit_reason: 'blocked' })))
    const reports = ['a', 'b'].map((name) => ({ name, report }))
    const page = await openPage(renderHtml(reports))
    await page.locator('.overview a', { hasText: 'b' }).click()
    expect(new URL(page.url()).hash).toBe('#run-2')
    expect(await page.locator('#run-2 .timeline').isVisible()).toBe(false)
    await page.locator('#run-2 .rest > summary').click()
    expect(await page.locator('#run-2 .timeline').isVisible()).toBe(true)
  })
})
