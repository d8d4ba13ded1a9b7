import fc from 'fast-check'

const PARTS = [
  ...['::error::pwned', '::error file=a.js,line=1::pwned', '::add-mask::e', '::stop-commands::x'],
  ...['::set-output name=a::b', '::endgroup::', '::group::x', '##[set-output name=a;]b', '##[error]x', '##[group]y'],
  ...['###[add-mask]e', '#\u200b#[error]z', '##vso[task.setvariable variable=x]y', '#', '##', '[', ':', '::', ']'],
  ...['\r', '\n', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b', '\f', ' ', '\t', '\u00a0', '\ufeff', '\u200b'],
  ...['\u00ad', '\u202e', '\u001b[2K\u001b[1A', '\b\b\b', '\0', '\ud800', '⚠\ufe0f', 'text', '%0A::error::z'],
]

/** Texts that try to be commands of a CI runner. */
export const hostileText = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PARTS) }, fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 14,
  })
  .map((parts) => parts.join(''))
