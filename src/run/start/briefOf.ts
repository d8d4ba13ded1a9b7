import { briefPolicy } from '../../policy/explain/briefPolicy.ts'
import type { Session } from '../Session.ts'

/** What may start, what may be changed, what is hidden and what must pass, as the first message says it. */
export function briefOf({ policy, config, children, place }: BriefParts): string {
  const mayEditAll = config.audit || place.mode === 'acceptEdits' || place.mode === 'auto'
  return briefPolicy(policy, { network: children.sandbox.network.mode, mayEditAll })
}

type BriefParts = Pick<Session, 'policy' | 'config' | 'children' | 'place'>
