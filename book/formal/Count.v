(* How often Algorithm 4 learns from scratch: the bounds of the sharp count. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Online Sharp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Count.
Variables (V : finType) (k : nat) (m : 'I_k -> {set V}) (y : 'I_k -> V).
Variables (S L : seq {set V}).
Hypothesis anchored : forall i j, (y i \in m j) = (i == j).
Hypothesis unions : forall T, T \in S ->
  exists J : {set 'I_k}, T = \bigcup_(j in J) m j.
Hypothesis stream : online S L.

(* No target is learned from scratch twice, and none of them is empty. *)
Lemma distinct : uniq L /\ set0 \notin L.
Proof.
elim: stream => // S' L' T P _ [h1 h2] hP hR hT.
rewrite /= h1 andbT inE; split.
  by apply: contra hT => h; rewrite hR // inE.
by rewrite negb_or h2 andbT; apply: contra hT => /eqP<-; rewrite /uncovered set0D.
Qed.

Lemma nonempty_unions : size L <= 2 ^ k - 1.
Proof.
have [h1 h2] := distinct; rewrite -(card_uniqP h1) -(cardsE (mem L)) subn1.
have -> : 2 ^ k = #|{set 'I_k}|.
  by rewrite -cardsT -powersetT card_powerset cardsT card_ord.
pose U (J : {set 'I_k}) := \bigcup_(j in J) m j; rewrite -(cardsC1 set0).
apply: (@leq_trans #|U @: [set~ set0]|); last exact: leq_imset_card.
apply/subset_leq_card/subsetP => T hT; have := hT; rewrite inE => hL.
have [J E] := unions (kept_sub stream hT); rewrite E; apply: imset_f.
by rewrite !inE; apply: contra h2 => /eqP E0; rewrite E E0 big_set0 in hL.
Qed.

(* At most n - k variables are shared, as the anchors are k others. *)
Lemma few_overlaps : #|overlaps m| + k <= #|V|.
Proof.
have inj : injective y by move=> i j E; apply/eqP; rewrite -anchored E anchored.
rewrite -[X in _ + X]card_ord -(card_imset _ inj) -cardsT.
apply: leq_trans (leq_add (leq_imset_card _ _) (leqnn _)) _.
rewrite -leq_subRL ?subset_leq_card ?subsetT // -cardsDS ?subsetT //.
apply/subset_leq_card/subsetP => _ /imsetP[i _ ->].
by rewrite !inE (B_anchor anchored) cards1.
Qed.
Lemma overlaps_sum : \sum_(b in overlaps m) (k - #|b|) <= #|overlaps m| * (k - 2).
Proof.
rewrite -sum_nat_const; apply: leq_sum => b /imsetP[x]; rewrite inE => hx ->.
exact: leq_sub2l.
Qed.

Theorem count : let s := k + 'C(k, 2) + \sum_(b in overlaps m) (k - #|b|) in
  size L <= minn (2 ^ k - 1) s /\ s <= minn (k * #|V|) ('C(#|V|, 2) + k).
Proof.
move=> s; rewrite !leq_min nonempty_unions (sharp anchored stream unions); split=> //.
have h1 := few_overlaps; have h2 := overlaps_sum; rewrite /s.
have c2 n : 'C(n, 2) * 2 = n * n.-1.
  by rewrite -[2 in LHS]/(2`!) bin_ffact ffactnS ffactn1.
have ck := c2 k; have cV := c2 #|V|.
move: 'C(k, 2) 'C(#|V|, 2) ck cV h1 h2 => c c' ck cV.
move: (\sum_(b in _) _) #|overlaps m| #|V| cV => a o n; clear -ck.
move=> cV h1 h2; have [r En] : exists r, n = o + k + r.
  by exists (n - (o + k)); rewrite subnKC.
have two p q : (p <= q) = (p * 2 <= q * 2) by rewrite leq_pmul2r.
apply/andP; rewrite two [_ <= c' + k]two.
rewrite !mulnDl cV ck {cV ck c c'}; subst n; clear h1.
case: k h2 => [|[|k']] h2; rewrite ?subSS ?subn0 ?muln0 in h2; split;
  apply/leP; move/leP: h2; rewrite /= -?multE -?plusE; nia.
Qed.
End Count.
Print Assumptions count.
