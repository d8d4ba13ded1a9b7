/** True where `option` (`--outp=x`) is some spelling of the long option `name`. */
export function isLongOption(option: string, name: string): boolean {
  if (!option.startsWith('--') || option.length < 3) return false
  return name.startsWith(option.slice(2).split('=', 1)[0] ?? '')
}

/** True where a bundle of short options (`-nO`) has one of `letters`; letters in `valued` end it. */
export function hasShortOption(option: string, letters: string, valued = ''): boolean {
  if (!/^-[^-]/.test(option)) return false
  for (const letter of option.slice(1)) {
    if (letters.includes(letter)) return true
    if (valued.includes(letter)) return false
  }
  return false
}
