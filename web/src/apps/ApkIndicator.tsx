import { useLocation } from 'react-router';
import { Indicator, type UploadSummary } from '../ui/transfer/Indicator.tsx';
import { type ApkUpload, useApkUpload } from './upload.ts';

const PATH = '/appupload';

function summarize(upload: ApkUpload): UploadSummary | undefined {
  switch (upload.kind) {
    case 'none':
      return undefined;
    case 'sending':
      return { kind: 'running', count: 1, share: upload.sent / upload.file.size };
    case 'paused':
    case 'failed':
    case 'done':
      return { kind: upload.kind, count: 1 };
  }
}

/** On every page but its own: how the upload of an APK gets on. */
export function ApkIndicator() {
  const { pathname } = useLocation();
  const summary = summarize(useApkUpload());
  return summary && pathname !== PATH ? <Indicator summary={summary} to={PATH} /> : null;
}
