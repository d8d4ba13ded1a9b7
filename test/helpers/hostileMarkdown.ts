/** An answer that tries to leave its place on a page of GitHub. */
export const hostileMarkdown = [
  '</details></table><script>alert(1)</script>',
  '<img src=//evil.example/x?y> ![x](//evil.example/y)',
  '@octocat please, fixes #1 and GH-2',
  '[a](javascript:alert(1)) <a href="//evil.example">b</a>',
  '````\nfence\n```',
].join('\n\n')
