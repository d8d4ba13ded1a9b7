import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client'
import { Messages } from '@anthropic-ai/sdk/resources/messages'

/** The Messages API on a minimal client: one with all APIs of the SDK loads twice as much code. */
export function createMessages(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options))
}
