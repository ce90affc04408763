import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: '페이지를 불러오지 못했습니다',
  chunkHint: '연결이 느리거나 끊겼거나, 새 버전이 있습니다.',
  brokenTitle: '문제가 발생했습니다',
  brokenHint: '페이지를 새로고침해 주세요. 다시 발생하면 어떤 작업을 했는지 판매점에 알려 주세요.',
  reload: '새로고침',
  unreachable: '서버가 응답하지 않았습니다. 연결을 확인한 다음 다시 시도하세요.',
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFoundHint: '링크가 잘못되었거나 페이지가 삭제되었을 수 있습니다.',
  toHome: '홈으로',
};
