import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'

test('When several services run in one process, then each has the metrics of the process, which are measured once', async () => {
  const [uploads, media] = [createMetrics('uploads'), createMetrics('media')]
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total']) {
    expect(await uploads.getSingleMetricAsString(name)).toContain(`${name}{service="uploads"}`)
    expect(await media.getSingleMetricAsString(name)).toContain(`${name}{service="media"}`)
    expect(uploads.getSingleMetric(name)).toBe(media.getSingleMetric(name))
  }
})
