/** Left out of accounts and comparisons in folders outside of git, where no `.gitignore` can be expected: packages. */
export const PLAIN_IGNORED = ['node_modules', '.venv', '__pycache__'] as const
