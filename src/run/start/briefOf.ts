import { briefPolicy } from '../../policy/explain/briefPolicy.ts'
import type { Session } from '../Session.ts'

/** The part of the first message on what may start, what may change, what is hidden and which checks must pass. */
export function briefOf({ policy, config, children, place }: BriefParts): string {
  const mayEditAll = config.audit || place.mode === 'acceptEdits' || place.mode === 'auto'
  const { network, landlock } = children.sandbox
  return briefPolicy(policy, { network: network.mode, mayEditAll, hasOwnTemporary: landlock !== undefined })
}

type BriefParts = Pick<Session, 'policy' | 'config' | 'children' | 'place'>
