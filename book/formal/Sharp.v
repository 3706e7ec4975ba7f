(* The sharp count: k + C(k,2) + the sum over the overlaps B of k - |B|. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Lemma4 Monotone Online.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Sharp.
Variables (V : finType) (k : nat) (m : 'I_k -> {set V}) (y : 'I_k -> V).
Implicit Types (F TS : {set {set V}}) (T : {set V}) (x w : V) (i j l : 'I_k).
Hypothesis anchored : forall i j, (y i \in m j) = (i == j).
Definition unions F := forall T, T \in F ->
  exists J : {set 'I_k}, T = \bigcup_(j in J) m j.

(* The metafeatures that hold x; the overlaps, each once. *)
Definition B x := [set j | x \in m j].
Definition overlaps := [set B x | x in [set x | 1 < #|B x|]].

(* The potential: metafeatures, incomparable pairs of anchors, and incomparable
   pairs of an anchor and a variable of an overlap without it. *)
Definition P F := [set e : 'I_k * 'I_k | (e.2 < e.1) && ((y e.1, y e.2) \in apart F)].
Definition P' F := [set e : {set 'I_k} * 'I_k | [&& e.1 \in overlaps, e.2 \notin e.1
  & [exists x, (B x == e.1) && ((y e.2, x) \in apart F)]]].
Definition potential F := #|M F| + #|P F| + #|P' F|.

Lemma in_P F e : (e \in P F) = (e.2 < e.1) && ((y e.1, y e.2) \in apart F).
Proof. by rewrite in_set. Qed.
Lemma in_P' F e : (e \in P' F) = [&& e.1 \in overlaps, e.2 \notin e.1
  & [exists x, (B x == e.1) && ((y e.2, x) \in apart F)]].
Proof. by rewrite in_set. Qed.

(* Whether a target has x depends only on B x. *)
Lemma same F x w : unions F -> B x = B w -> N F x = N F w.
Proof.
move=> hF E; apply/setP => T; rewrite !inE; case hT: (T \in F) => //=.
have e j : (x \in m j) = (w \in m j) by move/setP/(_ j): E; rewrite !inE.
have [J ->] := hF T hT.
by apply/bigcupP/bigcupP => -[j hj hx]; exists j; rewrite // ?e // -e.
Qed.
Lemma same_apart F j x w : unions F -> B x = B w ->
  ((y j, x) \in apart F) = ((y j, w) \in apart F).
Proof. by move=> hF /(same hF) E; rewrite !inE /= E. Qed.
Lemma B_anchor i : B (y i) = [set i].
Proof. by apply/setP => j; rewrite !inE anchored eq_sym. Qed.

Section Payment.
Variables (TS : {set {set V}}) (T : {set V}).
Local Notation TS' := (T |: TS).
Hypothesis hTS' : unions TS'.
Lemma hTS : unions TS. Proof. by move=> U hU; apply: hTS'; rewrite inE hU orbT. Qed.

Lemma P_kept : P TS \subset P TS'.
Proof.
apply/subsetP => e; rewrite !in_P => /andP[-> h] /=.
exact: (subsetP (apart_kept TS T) _ h).
Qed.
Lemma P'_kept : P' TS \subset P' TS'.
Proof.
apply/subsetP => e; rewrite !in_P' => /and3P[-> -> /existsP[x /andP[hx h]]] /=.
 apply/existsP; exists x; rewrite hx.
exact: (subsetP (apart_kept TS T) _ h).
Qed.

(* 1: the pair of an anchor in T and a variable outside is one that counts. *)
Lemma pair_counts x w : x \in T -> w \notin T -> N TS x \proper N TS w ->
  #|P TS| + #|P' TS| < #|P TS'| + #|P' TS'|.
Proof.
move=> hx hw hs; have [J E] : exists J : {set 'I_k}, T = \bigcup_(j in J) m j.
  exact: hTS' (setU11 _ _).
have [l hl hxl] : exists2 l, l \in J & x \in m l by apply/bigcupP; rewrite -E.
have mT : m l \subset T by rewrite E; apply: bigcup_sup hl.
have hy : y l \in T by apply: (subsetP mT); rewrite anchored.
have [n1 n2] := parted hy hw (sub_proper_trans (anchor_N anchored hTS hxl) hs).
have nl : l \notin B w by rewrite inE; apply: contra hw; apply: (subsetP mT).
case: (ltnP 1 #|B w|) => hB.
  (* w is shared *)
  rewrite -addnS; apply: leq_add; first exact: subset_leq_card P_kept.
  apply/proper_card/properP; split; first exact: P'_kept.
  exists (B w, l); rewrite in_P' /= nl ?andbT.
    rewrite imset_f ?inE //=; apply/existsP; exists w; by rewrite eqxx.
  rewrite !negb_and; apply/orP; right; apply/orP; right.
  apply/existsPn => v; rewrite negb_and; case: eqP => //= Ev.
  by rewrite (same_apart _ hTS Ev).
(* w is like an anchor *)
have [i Ei] : exists i, B w = [set i].
  have [_ [U /setIdP[hU hwU] _]] := properP hs; have [J' E'] := hTS hU.
  have [i _ hi] : exists2 i, i \in J' & w \in m i by apply/bigcupP; rewrite -E'.
  by exists i; apply/eqP; rewrite eq_sym eqEcard sub1set inE hi cards1.
have Ei' : B w = B (y i) by rewrite Ei B_anchor.
rewrite -!(addnC #|P' _|) -addnS; apply: leq_add.
  exact: subset_leq_card P'_kept.
apply/proper_card/properP; split; first exact: P_kept.
rewrite (same_apart _ hTS Ei') in n1; rewrite (same_apart _ hTS' Ei') in n2.
have : (l != i :> nat) by apply: contra nl => /eqP/ord_inj->; rewrite Ei set11.
rewrite neq_ltn => /orP[h|h]; [exists (i, l)|exists (l, i)]; rewrite in_P /= h //=.
- by rewrite apart_sym.
- by rewrite apart_sym.
Qed.

(* Every payment raises the potential. *)
Lemma rises Q : run TS Q -> represents TS Q -> uncovered Q T != set0 ->
  potential TS < potential TS'.
Proof.
move=> hP hR hT; rewrite /potential -!addnA.
case: (payment hP hR hT) => [[x [w [hx hw hs]]]|h].
  by rewrite -addnS; apply: leq_add (monotone TS T) (pair_counts hx hw hs).
rewrite -addSn; apply: leq_add h _; apply: leq_add; apply: subset_leq_card.
  exact: P_kept.
exact: P'_kept.
Qed.
End Payment.

Lemma P_few F : #|P F| <= 'C(k, 2).
Proof.
have /subset_leq_card h : P F \subset [set e : 'I_k * 'I_k | e.2 < e.1].
  by apply/subsetP => e; rewrite in_P in_set => /andP[].
apply: leq_trans h _; rewrite -sum1dep_card -(pair_big_dep predT
  (fun i j : 'I_k => j < i) (fun _ _ => 1)) /= -triangular_sum big_mkord.
apply: leq_sum => i _; rewrite -(big_ord_widen k (fun _ => 1)) ?sum1_card ?card_ord //.
exact: ltnW.
Qed.
Lemma P'_few F : #|P' F| <= \sum_(b in overlaps) (k - #|b|).
Proof.
have /subset_leq_card h : P' F \subset
    [set e : {set 'I_k} * 'I_k | (e.1 \in overlaps) && (e.2 \notin e.1)].
  by apply/subsetP => e; rewrite in_P' in_set => /and3P[-> ->].
apply: leq_trans h _; rewrite -sum1dep_card -(pair_big_dep (mem overlaps)
  (fun b j => j \notin b) (fun _ _ => 1)) /=.
apply: leq_sum => b _; have E : #|b| + #|~: b| = k by rewrite cardsC card_ord.
rewrite sum1_card -[X in _ <= X - _]E addKn.
by rewrite leq_eqVlt; apply/orP; left; apply/eqP/eq_card => j; rewrite !inE.
Qed.

Theorem sharp S L : online S L ->
  (forall T, T \in S -> exists J : {set 'I_k}, T = \bigcup_(j in J) m j) ->
  size L <= k + 'C(k, 2) + \sum_(b in overlaps) (k - #|b|).
Proof.
move=> hO hS; have hU : unions (kept L) := fun T hT => hS T (kept_sub hO hT).
apply: (@leq_trans (potential (kept L))); last first.
  by apply: leq_add (P'_few _); apply: leq_add (P_few _); apply: least anchored hU.
elim: hO hU => {S L hS} [//|S L T Q hO IH hP hR hT|S L T Q hO IH hP hR hT].
  exact: IH.
rewrite kept_cons => hU; apply: leq_ltn_trans (rises hU hP hR hT) => /=.
by apply: IH => U hU'; apply: hU; rewrite inE hU' orbT.
Qed.
End Sharp.
Print Assumptions sharp.
