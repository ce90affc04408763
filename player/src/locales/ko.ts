import type { Texts } from './en.ts';

const texts: Texts = {
  product: '광고 관리 시스템',
  pairTitle: '이 화면 연결',
  pairScan: '휴대폰으로 코드를 스캔하세요',
  pairOpen: '또는 {address}을(를) 열고 코드를 입력하세요',
  code: '코드',
  mac: 'MAC 주소',
  connecting: '서버에 연결하는 중…',
  waiting: '연결됨, 페어링 대기 중',
  offline: '서버에 연결할 수 없습니다. 다시 시도하는 중…',
  expiredTitle: '이 화면의 사용 기간이 만료되었습니다',
  expiredContact: '계속 사용하려면 {merchant}에 문의하세요',
  expiredDealer: '계속 사용하려면 판매점에 문의하세요',
  nothing: '현재 예약된 콘텐츠가 없습니다',
  downloading: '다운로드 중 {percent}%',
  insecure: '안전하지 않은 연결: 저장할 수 없어 네트워크에서 재생합니다',
};

export default texts;
