// Metrics as an answer: the format that the scraper asks for, never kept by anybody between.
import type { DocumentAnswer } from './openapi.ts'
import { NO_CACHE } from './payload-answer.ts'
import type { MetricsText } from './prometheus.ts'

export function metricsAnswer(metrics: MetricsText): DocumentAnswer {
  return async ({ negotiation }) => {
    const { contentType, body } = await metrics.inFormat(negotiation.accept)
    return {
      status: 200,
      headers: { 'cache-control': NO_CACHE, 'content-type': contentType },
      body: [Buffer.from(body)],
    }
  }
}
