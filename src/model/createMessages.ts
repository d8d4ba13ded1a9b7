import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client'
import { Messages } from '@anthropic-ai/sdk/resources/messages'

/**
 * The Messages API of the SDK on a minimal client. A client with all APIs of the SDK loads twice as much code before
 * the first request.
 */
export function createMessages(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options))
}
