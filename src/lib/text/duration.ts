const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * The milliseconds in `90s`, `20m`, `1h30m`, `250ms` or a bare number of milliseconds; undefined for anything else.
 * Never negative, never above 2^31 - 1 (the limit of a timer).
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^(\d+|(\d+(\.\d+)?(ms|s|m|h|d))+)$/.test(trimmed)) return undefined
  const parts = /^\d+$/.test(trimmed) ? [`${trimmed}ms`] : (trimmed.match(/[\d.]+(ms|s|m|h|d)/g) ?? [])
  const total = parts.reduce((sum, part) => {
    const unit = part.replace(/[\d.]/g, '')
    return sum + Number.parseFloat(part) * (UNITS[unit] ?? Number.NaN)
  }, 0)
  return Number.isFinite(total) && total <= 2 ** 31 - 1 ? Math.round(total) : undefined
}

/** A duration as a policy has it, in its largest unit that fits: `25m`, `90s`, `250ms`. */
export function shortDuration(milliseconds: number): string {
  const fits = Object.entries(UNITS).filter(([, size]) => milliseconds > 0 && milliseconds % size === 0)
  const [unit, size] = fits.at(-1) ?? ['ms', 1]
  return `${milliseconds / size}${unit}`
}
