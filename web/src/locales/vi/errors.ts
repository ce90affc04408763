import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Không tải được trang này',
  chunkHint: 'Kết nối chậm hoặc bị mất, hoặc đã có phiên bản mới hơn.',
  brokenTitle: 'Đã xảy ra lỗi',
  brokenHint: 'Hãy tải lại trang. Nếu lỗi lặp lại, hãy cho đại lý biết bạn vừa làm gì.',
  reload: 'Tải lại',
  unreachable: 'Máy chủ không phản hồi. Hãy kiểm tra kết nối rồi thử lại.',
  notFoundTitle: 'Không tìm thấy trang',
  notFoundHint: 'Liên kết có thể sai, hoặc trang đã bị xóa.',
  toHome: 'Về trang chủ',
};
